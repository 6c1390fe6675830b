// The views of the selected filter, as tabs. The one that is open stays open when another filter is selected.

import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import type { Filter } from '../../core/document';
import { CodeTab } from '../code/CodeTab';
import { FrequencyTab } from '../frequency/FrequencyTab';
import { useWords } from '../i18n/useWords';
import { KernelTab } from '../kernel/KernelTab';
import { SeparabilityTab } from '../separability/SeparabilityTab';
import { filterTabs, pageStore, usePage } from '../store';
import { FilterMixFields } from './FilterMixFields';
import { FilterSettingsFields } from './FilterSettingsFields';

export function FilterTabs({ filter }: { readonly filter: Filter }) {
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
        <FilterMixFields filter={filter} />
        <FilterSettingsFields filter={filter} />
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
}
