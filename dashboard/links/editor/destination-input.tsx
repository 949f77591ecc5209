import { Check } from 'lucide-react'
import { Badge } from '../../components/badge.tsx'
import { TextField } from '../../components/field.tsx'
import { destinationStrings as strings } from '../../strings/destination-strings.ts'
import { editorStrings } from '../../strings/editor-strings.ts'
import { LinkPreview } from './link-preview.tsx'
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
        suffix={<span role="status">{looked && <Reachability looked={looked} />}</span>}
      />
      {looked && <LinkPreview looked={looked} />}
    </div>
  )
}

export function Reachability({ looked: { url, look, isLooking } }: { looked: LookedAt }) {
  if (isLooking || !look || look.failure === 'refused') return null
  const { failure, status, redirects_to: target } = look
  if (failure !== null) return <Badge tone="bad">{strings.notReachable(strings.failures[failure])}</Badge>
  if (status === null || status >= 400)
    return <Badge tone="bad">{strings.notReachable(String(status))}</Badge>
  if (target === null) {
    return (
      <Badge tone="ok" icon={Check}>
        {strings.reachable}
      </Badge>
    )
  }
  return (
    <Badge tone="data" title={target}>
      <span className="cut">{strings.redirects(placeOf(target, url))}</span>
    </Badge>
  )
}

/** The host, or the path on the same host. */
function placeOf(target: string, from: string): string {
  const { host, pathname, search } = new URL(target)
  return host === new URL(from).host ? pathname + search : host
}
