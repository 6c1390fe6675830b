// The views of the selected filter, as tabs. The one that is open stays open when another filter is selected.

import { memo } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import type { Filter } from '../../core/document';
import { CodeTab } from '../code/CodeTab';
import { FrequencyTab } from '../frequency/FrequencyTab';
import { useWords } from '../i18n/useWords';
import { KernelTab } from '../kernel/KernelTab';
import { SeparabilityTab } from '../separability/SeparabilityTab';
import { filterTabs, pageStore, selectedFilter, usePage } from '../store';
import { FilterMixFields } from './FilterMixFields';
import { FilterSettingsFields } from './FilterSettingsFields';

/** Drawn anew only for another filter than before, which may be a little older than what the fields show. */
export const FilterTabs = memo(function FilterTabs({ filter }: { readonly filter: Filter }) {
  const { t } = useWords();
  const open = usePage((state) => state.filterTab);
  return (
    <Tabs
      className="tabs"
      selectedKey={open}
      onSelectionChange={(key) => {
        const chosen = filterTabs.find((tab) => tab === key);
        if (chosen !== undefined) pageStore.setState({ filterTab: chosen });
      }}
    >
      <TabList aria-label={t('tab.label')} className="tab-list">
        {filterTabs.map((tab) => (
          <Tab key={tab} id={tab} className="tab" data-testid={`tab-${tab}`}>
            {t(`tab.${tab}`)}
          </Tab>
        ))}
      </TabList>
      <TabPanel id="kernel" className="tab-panel">
        <KernelTab key={filter.id} filter={filter} />
        <Fields />
      </TabPanel>
      <TabPanel id="separability" className="tab-panel">
        <SeparabilityTab key={filter.id} filter={filter} />
      </TabPanel>
      <TabPanel id="frequency" className="tab-panel">
        <FrequencyTab key={filter.id} filter={filter} />
      </TabPanel>
      <TabPanel id="code" className="tab-panel">
        <CodeTab key={filter.id} filter={filter} />
      </TabPanel>
    </Tabs>
  );
});

/** What every filter has, of the selected one as it is now. */
function Fields() {
  const filter = usePage(selectedFilter);
  if (filter === null) return null;
  return (
    <>
      <FilterMixFields filter={filter} />
      <FilterSettingsFields filter={filter} />
    </>
  );
}
