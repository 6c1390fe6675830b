// Words of the settings and of the keys of commands, in English.

export const settingsEnglish = {
  settings: {
    title: 'Settings',
    cache: 'Cache memory',
    cacheAutomatic: 'automatic',
    automatic: 'Automatic',
    cacheNote: 'For results of filters that stay while another one is changed. Automatic is an eighth of the memory.',
    unusable: '{{engine}} cannot be used here: {{why}}',
    autosave: 'Recovery file',
    seconds: 's',
    autosaveNote: 'after a change',
    keys: 'Keyboard',
    changeKeys: 'Keyboard shortcuts…',
    setAside: 'The settings file could not be read and was set aside as {{movedTo}}. The standard settings hold now.',
  },
  keys: {
    search: 'Find a command or a key',
    resetAll: 'Reset all',
    none: 'no key',
    change: '{{command}}: {{keys}}. Change',
    record: 'New keys for {{command}}',
    press: 'Press keys…',
    taken: '{{key}} belongs to “{{command}}”.',
    refused: '{{key}} is how one moves in the window or edits text; it cannot be a shortcut.',
    take: 'Take it',
    remove: 'No key for {{command}}',
    reset: 'Reset the key of {{command}}',
  },
} as const;
