/** An IP address as some program could have written it: text, number, bytes in both orders, an IPv6 network alone. */
export function ipSpellings(ip: string): Buffer[] {
  const texts = [ip, ip.replaceAll('.', '-'), ip.replaceAll(':', '%3A')]
  return (ip.includes('.') ? spellingsOfIpv4(ip) : spellingsOfIpv6(ip)).concat(
    texts.map((text) => Buffer.from(text)),
  )
}

function spellingsOfIpv4(ip: string): Buffer[] {
  const bytes = Buffer.from(ip.split('.').map(Number))
  const decimal = Buffer.from(String(bytes.readUInt32BE()))
  // The bytes of a loopback address are too plain: numbers of all kinds look like them.
  return ip.startsWith('127.') ? [decimal] : [decimal, bytes, Buffer.from(bytes).reverse()]
}

/** Takes the long form, of eight groups. */
function spellingsOfIpv6(ip: string): Buffer[] {
  const digits = ip.split(':').map((group) => group.padStart(4, '0'))
  const bytes = Buffer.from(digits.join(''), 'hex')
  return [
    bytes,
    bytes.subarray(0, 8),
    Buffer.from(digits.join('')),
    Buffer.from(digits.slice(0, 4).join(':')),
  ]
}
