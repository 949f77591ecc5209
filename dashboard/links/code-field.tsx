import { useQuery } from '@tanstack/react-query'
import { ask } from '../api-client.ts'
import { Badge } from '../parts/badge.tsx'
import { TextField } from '../parts/field.tsx'
import { useSettled } from '../use-settled.ts'
import { words } from '../words.ts'

/** Shorter ones are still being typed. */
const CODE_CHARS_MIN = 3
const SETTLED_MS = 250

type CodeFieldProps = { value: string; onCode: (code: string) => void; errors: string[] | undefined }

/** A custom code, and whether it is free while it is being typed. */
export function CodeField({ value, onCode, errors }: CodeFieldProps) {
  const settled = useSettled(value, SETTLED_MS)
  const isAsked = settled.length >= CODE_CHARS_MIN && settled === value
  const { data, isFetching } = useQuery({
    queryKey: ['code', settled],
    queryFn: async ({ signal }) => (await ask('GET /codes/{code}', { path: { code: settled }, signal })).data,
    enabled: isAsked,
    // Somebody may take it meanwhile.
    staleTime: 0,
  })
  const isFree = isAsked && !isFetching ? data?.is_free : undefined
  const reasons = isFree === false ? data?.reasons : undefined
  return (
    <TextField
      label={words.links.code}
      hint={words.links.codeHint}
      maxLength={64}
      spellCheck={false}
      autoCapitalize="none"
      autoComplete="off"
      value={value}
      onText={onCode}
      errors={errors ?? reasons}
      suffix={
        <span role="status">
          {isFree === true && <Badge tone="ok">{words.links.codeFree}</Badge>}
          {isFree === false && <Badge tone="bad">{words.links.codeTaken}</Badge>}
        </span>
      }
    />
  )
}
