import { strings } from '../strings.ts'
import { withAddedScheme } from './pasted-url.ts'

/** Says which URL a destination without a scheme becomes, before it is saved. */
export function AddedScheme({ text }: { text: string }) {
  const url = withAddedScheme(text)
  return (
    <span role="status" className="added-scheme">
      {url !== undefined && <span className="hint">{strings.links.savedAs(url)}</span>}
    </span>
  )
}
