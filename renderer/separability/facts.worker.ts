// What the Kernel tab says of a kernel's rank and of how it runs, on a thread of its own.

import { answerWith } from '../threads/answering';
import { factsOf } from './separabilityFacts';

answerWith(factsOf);
