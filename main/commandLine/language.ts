// The language in which the command line says errors and notes.

import { environmentLanguage } from '../../core/language';

export const commandLanguage = environmentLanguage(process.env);
