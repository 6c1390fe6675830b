// `npm run setup`: makes the checkout ready to start, and nothing else.

import { runTask } from './console';
import { prepare } from './preparation';

await runTask(async () => {
  await prepare();
  return undefined;
});
