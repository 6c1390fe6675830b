// What a kernel is at a rank, on a thread of its own.

import { answerWith } from '../threads/answering';
import { rankFacts } from './rankFacts';

answerWith(rankFacts);
