// The filter that the views of the selected one show, which may be a little older than what its fields show.

import { createContext, useContext } from 'react';
import type { Filter } from '../../core/document';

export const SeenFilter = createContext<Filter | null>(null);

export const useSeenFilter = (): Filter | null => useContext(SeenFilter);
