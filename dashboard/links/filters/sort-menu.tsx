import { ArrowDownUp } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { Menu } from '../../components/menu.tsx'
import { listStrings as texts } from '../../strings/list-strings.ts'
import type { FilterProps } from './list-pickers.tsx'
import { offeredSorts, sortingOf, sortName } from './list-sorts.ts'

export function SortMenu({ query, onChange }: FilterProps) {
  const name = sortName(query)
  return (
    <Menu
      label={texts.sort}
      trigger={
        <Button
          variant="quiet"
          size="small"
          icon={ArrowDownUp}
          aria-label={`${texts.sort}: ${texts.sorts[name]}`}
        >
          {texts.sorts[name]}
        </Button>
      }
      items={[
        {
          kind: 'choice',
          label: texts.sort,
          value: name,
          choices: offeredSorts(name),
          onChoice: (chosen) => onChange(sortingOf(chosen)),
        },
      ]}
    />
  )
}
