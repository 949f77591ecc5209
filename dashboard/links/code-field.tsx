import { useQuery } from '@tanstack/react-query'
import { api } from '../api-client.ts'
import { Badge } from '../parts/badge.tsx'
import { TextField } from '../parts/field.tsx'
import { useSettled } from '../use-settled.ts'
import { words } from '../words.ts'

const CODE = /^[A-Za-z0-9_-]{3,64}$/
const SETTLED_MS = 250

type CodeFieldProps = { value: string; onCode: (code: string) => void; errors: string[] | undefined }

/** A custom code, and whether it is free while it is being typed. */
export function CodeField({ value, onCode, errors }: CodeFieldProps) {
  const settled = useSettled(value, SETTLED_MS)
  const isAsked = CODE.test(settled) && settled === value
  const { data, isFetching } = useQuery({
    queryKey: ['code', settled],
    queryFn: async ({ signal }) => (await api.isCodeFree(settled, signal)).data,
    enabled: isAsked,
  })
  const isFree = isAsked && !isFetching ? data?.is_free : undefined
  const reason = isFree === false && data?.reason ? [data.reason] : undefined
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
      errors={errors ?? reason}
      suffix={
        <span role="status">
          {isFree === true && <Badge tone="ok">{words.links.codeFree}</Badge>}
          {isFree === false && <Badge tone="bad">{words.links.codeTaken}</Badge>}
        </span>
      }
    />
  )
}
