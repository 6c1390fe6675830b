// The frequency response of a kernel on a thread of its own.

import { answerWith } from '../threads/answering';
import { analyse } from './analysis';

answerWith(analyse);
