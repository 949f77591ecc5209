import { Columns3 } from 'lucide-react'
import { useState } from 'react'
import { SelectField } from '../../components/fields/field.tsx'
import { Floating } from '../../components/pickers/picker.tsx'
import { listStrings as texts } from '../list/list-strings.ts'
import { useSignedIn } from '../../use-session.ts'
import { COLUMNS, PAGE_SIZES } from '../list/list-query.ts'
import type { FilterProps } from './list-pickers.tsx'

/** Which columns are shown, and how many links. */
export function ColumnsMenu({ query, onChange }: FilterProps) {
  const [isOpen, setOpen] = useState(false)
  const hasDomains = useSignedIn().user.domains.length > 1
  const offered = COLUMNS.filter((column) => column !== 'domain' || hasDomains)
  return (
    <Floating
      label={texts.columns}
      isOpen={isOpen}
      onOpen={setOpen}
      trigger={
        <button
          type="button"
          className="button is-quiet is-icon"
          aria-label={texts.columns}
          title={texts.columns}
        >
          <Columns3 size={17} aria-hidden />
        </button>
      }
    >
      <div className="list-columns">
        <fieldset>
          <legend className="only-spoken">{texts.columns}</legend>
          {offered.map((column) => (
            <label key={column} className="check-line">
              <input
                type="checkbox"
                checked={query.columns.includes(column)}
                onChange={({ target }) =>
                  onChange({
                    columns: COLUMNS.filter((each) =>
                      each === column ? target.checked : query.columns.includes(each),
                    ),
                  })
                }
              />
              {texts.columnNames[column]}
            </label>
          ))}
        </fieldset>
        <SelectField
          label={texts.pageSize}
          value={String(query.perPage)}
          onChoice={(size) => onChange({ perPage: Number(size) })}
          choices={PAGE_SIZES.map((size) => ({ value: String(size), label: String(size) }))}
        />
      </div>
    </Floating>
  )
}
