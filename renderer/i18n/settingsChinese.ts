// Words of the settings and of the keys of commands, in simplified Chinese.

import type { Catalogue } from './english';
import type { settingsEnglish } from './settingsEnglish';

export const settingsChinese: Pick<Catalogue, keyof typeof settingsEnglish> = {
  settings: {
    title: '设置',
    cache: '缓存内存',
    cacheAutomatic: '自动',
    automatic: '自动',
    cacheNote: '用于在调整某个滤镜时保留其他滤镜的结果。自动为内存的八分之一。',
    unusable: '{{engine}} 在此无法使用：{{why}}',
    autosave: '恢复文件',
    seconds: '秒',
    autosaveNote: '更改之后',
    keys: '键盘',
    changeKeys: '键盘快捷键…',
    setAside: '无法读取设置文件，已另存为 {{movedTo}}。现在使用标准设置。',
  },
  keys: {
    search: '查找命令或按键',
    resetAll: '全部重置',
    none: '无按键',
    change: '{{command}}：{{keys}}。更改',
    record: '{{command}} 的新按键',
    press: '请按键…',
    taken: '{{key}} 已用于“{{command}}”。',
    refused: '{{key}} 用于在窗口中移动或编辑文字，不能作为快捷键。',
    take: '改用于此',
    remove: '取消 {{command}} 的按键',
    reset: '重置 {{command}} 的按键',
  },
};
