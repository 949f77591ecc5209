import { Check } from 'lucide-react'
import { Badge } from '../../components/badge.tsx'
import { TextField } from '../../components/field.tsx'
import { destinationStrings as strings } from '../../strings/destination-strings.ts'
import { editorStrings } from '../../strings/editor-strings.ts'
import { AddedScheme } from '../added-scheme.tsx'
import { isReachable, LinkPreview } from './link-preview.tsx'
import type { LookedAt } from './use-destination.ts'
import type { LinkFields } from './use-link-form.ts'

type DestinationInputProps = { fields: LinkFields; looked: LookedAt | undefined }

/** Says whether the destination can be reached, and never stands in the way of saving. */
export function DestinationInput({ fields, looked }: DestinationInputProps) {
  const { form, set, errorsFor, destination } = fields
  return (
    <div className="field destination">
      <TextField
        ref={destination}
        label={editorStrings.destination}
        type="url"
        inputMode="url"
        autoComplete="off"
        value={form.original_url}
        onText={(text) => set({ original_url: text })}
        errors={errorsFor('original_url')}
        suffix={<span role="status">{looked && isReachable(looked) && <Reachable />}</span>}
      />
      <AddedScheme text={form.original_url} />
      {looked && <LinkPreview looked={looked} />}
    </div>
  )
}

const Reachable = () => (
  <Badge tone="ok" icon={Check}>
    {strings.reachable}
  </Badge>
)
