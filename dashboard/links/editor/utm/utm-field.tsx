import { useRef } from 'react'
import { Combobox } from '../../../components/pickers/combobox.tsx'
import { editorStrings } from '../editor-strings.ts'
import { otherSpelling, readUtm, type UtmName, writeUtm } from './utm.ts'
import { TextButton } from '../../../components/button.tsx'

const { campaign } = editorStrings

type UtmFieldProps = {
  name: UtmName
  url: string
  onUrl: (url: string) => void
  /** Values that the workspace has used; undefined while they are loading. */
  used: readonly string[] | undefined
  isDisabled: boolean
}

/** One parameter, with the values that were used before: two spellings would be two sources in the analytics. */
export function UtmField({ name, url, onUrl, used, isDisabled }: UtmFieldProps) {
  const element = useRef<HTMLDivElement>(null)
  const value = readUtm(url, name)
  const other = otherSpelling(value, used ?? [])
  const write = (text: string) => onUrl(writeUtm(url, name, text))
  const takeOther = () => {
    write(other!)
    // The button goes, and would take the focus with it.
    element.current?.querySelector('input')?.focus()
  }
  return (
    <div ref={element} data-utm={name}>
      <Combobox
        label={campaign.fields[name]}
        placeholder={campaign.examples[name]}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={200}
        disabled={isDisabled}
        options={used?.map((text) => ({ value: text, label: text }))}
        value={value}
        allowsOwn
        onValue={write}
        hint={
          other !== undefined && (
            <>
              {campaign.usedBefore(other)} <TextButton onClick={takeOther}>{campaign.useIt}</TextButton>
            </>
          )
        }
      />
    </div>
  )
}
