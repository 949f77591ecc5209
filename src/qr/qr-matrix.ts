import { encodeQR } from 'qr'

export type QrLevel = 'L' | 'M' | 'Q' | 'H'

const ERROR_CORRECTION = { L: 'low', M: 'medium', Q: 'quartile', H: 'high' } as const

/** Rows of modules without a margin; true is dark. */
export function qrMatrix(text: string, level: QrLevel): boolean[][] {
  // The library always adds a border, of at least one module. Cut it off.
  const bordered = encodeQR(text, 'raw', { ecc: ERROR_CORRECTION[level], border: 1 })
  return bordered.slice(1, -1).map((row) => row.slice(1, -1))
}
