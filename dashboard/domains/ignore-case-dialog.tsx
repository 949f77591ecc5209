import type { ComponentProps } from 'react'
import { FormDialog } from '../components/fields/form.tsx'
import { errorsOf, Notice } from '../components/states.tsx'
import { domainStrings as texts } from './domain-strings.ts'
import { unicodeHost } from './unicode-host.ts'

type IgnoreCaseProps = Pick<ComponentProps<typeof FormDialog>, 'change' | 'onClose'> & { host: string }

/** Says what it means, and which codes stand against it. */
export function IgnoreCaseDialog({ host, change, onClose }: IgnoreCaseProps) {
  const conflicts = errorsOf(change.error, 'case_insensitive')
  return (
    <FormDialog
      title={texts.ignoreCaseTitle(unicodeHost(host))}
      action={texts.ignoreCase}
      change={change}
      onClose={onClose}
    >
      {conflicts && <Notice tone="bad">{conflicts.join(' ')}</Notice>}
      <p>{texts.ignoreCaseText}</p>
    </FormDialog>
  )
}
