type Cookie = {
  name: string
  value: string
  path?: string
  /** 0 removes it. */
  maxAgeSeconds: number
  /** Sent over https only. */
  isSecure: boolean
}

/** For `Set-Cookie`. Scripts cannot read it, and requests that other sites make by themselves do not carry it. */
export function setCookie({ name, value, path = '/', maxAgeSeconds, isSecure }: Cookie): string {
  const parts = [`${name}=${value}`, `Path=${path}`, `Max-Age=${maxAgeSeconds}`, 'HttpOnly', 'SameSite=Lax']
  return [...parts, ...(isSecure ? ['Secure'] : [])].join('; ')
}

/** All of the name: another subdomain may have set some. `header`: the cookies of the request. */
export function cookiesNamed(name: string, header: string): string[] {
  const start = `${name}=`
  return header
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(start))
    .map((cookie) => cookie.slice(start.length))
}
