import { Marked } from '../components/marked.tsx'
import { withoutScheme } from '../format.ts'

/** The host is de-emphasized, because it is the same for all links. */
export function ShortUrl({ url, search = '' }: { url: string; search?: string }) {
  const text = withoutScheme(url)
  const codeAt = text.lastIndexOf('/') + 1
  return (
    <>
      <span className="short-url-host">{text.slice(0, codeAt)}</span>
      <span className="short-url-code">
        <Marked text={text.slice(codeAt)} search={search} />
      </span>
    </>
  )
}
