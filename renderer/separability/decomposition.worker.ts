// The singular value decomposition of a kernel on a thread of its own.

import type { FilterSum } from '../../core/rank';
import { decompose } from '../../core/separability';
import { answerWith } from '../threads/answering';

answerWith((sum: FilterSum) => decompose(sum.grid));
