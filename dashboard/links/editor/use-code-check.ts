import { useQuery } from '@tanstack/react-query'
import { ask } from '../../api/api-client.ts'
import { CODE_CHECKS, type TrashedLink } from '../trash/in-trash.tsx'
import { useSettled } from '../../use-settled.ts'

/** Shorter codes are not checked yet. */
const CODE_CHARS_MIN = 3
const SETTLED_MS = 250

type CodeCheck = {
  /** Undefined while it is not known. */
  isFree: boolean | undefined
  /** Why it is not. */
  reasons: string[] | undefined
  /** The link in the trash that has it. */
  trashed: TrashedLink | undefined
}

/** Whether a code is free on a domain, while it is typed. `domain`: '' is the default. */
export function useCodeCheck(code: string, domain: string): CodeCheck {
  const checkedCode = useSettled(code, SETTLED_MS)
  const isChecked = checkedCode.length >= CODE_CHARS_MIN && checkedCode === code
  const { data, isFetching } = useQuery({
    queryKey: [...CODE_CHECKS, checkedCode, domain],
    queryFn: async ({ signal }) =>
      (await ask('GET /codes/{code}', { path: { code: checkedCode }, query: { domain }, signal })).data,
    enabled: isChecked,
    // It may be taken at any time.
    staleTime: 0,
  })
  const isFree = isChecked && !isFetching ? data?.is_free : undefined
  if (isFree !== false) return { isFree, reasons: undefined, trashed: undefined }
  return { isFree, reasons: data?.reasons, trashed: data?.trashed_link ?? undefined }
}
