// 观看方式的中文词语：旋转的视图、解释卡片、直方图、导航器和数值。

import type { seeingEnglish } from './seeingEnglish';

export const seeingChinese: typeof seeingEnglish = {
  seeing: {
    turnRight: '视图向右旋转',
    turnLeft: '视图向左旋转',
  },
};
