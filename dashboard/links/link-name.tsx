import { Marked } from '../components/pickers/marked.tsx'
import { partsOfShortUrl } from './list/listed-texts.ts'

/** The host is de-emphasized, because it is the same for all links. */
export function ShortUrl({ url, search = '' }: { url: string; search?: string }) {
  const [host, code] = partsOfShortUrl(url)
  return (
    <>
      <span className="short-url-host">{host}</span>
      <span className="short-url-code">
        <Marked text={code} search={search} />
      </span>
    </>
  )
}
