import { unicodeHost } from './unicode-host.ts'

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
