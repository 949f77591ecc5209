import type { ComponentProps } from 'react'
import { TextField, VERBATIM } from '../components/fields/field.tsx'
import { unicodeHost } from './unicode-host.ts'

/** The host of a domain that is added. */
export const HostField = (props: ComponentProps<typeof TextField>) => (
  <TextField placeholder="go.example.com" {...VERBATIM} {...props} />
)

/** The host as people write it, with what DNS has beside it where that differs. */
export function HostName({ host }: { host: string }) {
  const name = unicodeHost(host)
  if (name === host) return host
  return (
    <>
      {name} <small className="soft host-ascii">{host}</small>
    </>
  )
}
