import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { QrDesign } from '../../src/links/qr-style/qr-style.ts'
import type { LinkView } from '../../src/http/endpoints/browser-types.ts'
import { ask } from '../api-client.ts'
import { requestFor } from '../link-address.ts'
import { useSettled } from '../use-settled.ts'

const SETTLED_MS = 150

/** The server draws each style once and reads it back. The last picture stays until the next is there. */
export function useQrDrawing(link: LinkView, style: QrDesign | undefined) {
  const settled = useSettled(style, SETTLED_MS)
  const drawing = useQuery({
    queryKey: ['qr', link.id, settled],
    queryFn: async ({ signal }) =>
      (await ask('POST /links/{short_code}/qr', { ...requestFor(link), input: settled!, signal })).data,
    enabled: settled !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  })
  return { ...drawing, isChecking: settled !== style || drawing.isPlaceholderData || drawing.isPending }
}
