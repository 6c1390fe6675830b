// The views of the selected filter, as tabs. The one that is open stays open when another filter is selected.

import { memo, type ReactNode } from 'react';
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
import { useSeenFilter } from './seenFilter';

function OfSeen({ view }: { readonly view: (filter: Filter) => ReactNode }) {
  const filter = useSeenFilter();
  return filter === null ? null : view(filter);
}

const kernelView = (filter: Filter) => <KernelTab key={filter.id} filter={filter} />;
const separabilityView = (filter: Filter) => <SeparabilityTab key={filter.id} filter={filter} />;
const frequencyView = (filter: Filter) => <FrequencyTab key={filter.id} filter={filter} />;
const codeView = (filter: Filter) => <CodeTab key={filter.id} filter={filter} />;

/** The bar and the room under it: a stroke over a kernel, which changes the filter with every frame, does not draw them anew. */
export const FilterTabs = memo(function FilterTabs() {
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
        <OfSeen view={kernelView} />
        <Fields />
      </TabPanel>
      <TabPanel id="separability" className="tab-panel">
        <OfSeen view={separabilityView} />
      </TabPanel>
      <TabPanel id="frequency" className="tab-panel">
        <OfSeen view={frequencyView} />
      </TabPanel>
      <TabPanel id="code" className="tab-panel">
        <OfSeen view={codeView} />
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
