import { useMutation, useQuery } from '@tanstack/react-query'
import { Dices } from 'lucide-react'
import { ask } from '../../api-client.ts'
import { IconButton } from '../../components/button.tsx'
import { sentenceOf } from '../../components/states.tsx'
import { useToast } from '../../components/toasts.tsx'
import { Badge } from '../../components/badge.tsx'
import { TextField } from '../../components/field.tsx'
import { useSettled } from '../../use-settled.ts'
import { editorStrings } from '../../strings/editor-strings.ts'

/** Shorter codes are not checked yet. */
const CODE_CHARS_MIN = 3
const SETTLED_MS = 250

type CodeFieldProps = {
  value: string
  /** On which it has to be free; '': the default. */
  domain: string
  onCode: (code: string) => void
  errors: string[] | undefined
}

/** Checks whether the code is available while it is typed. */
export function CodeField({ value, domain, onCode, errors }: CodeFieldProps) {
  const settled = useSettled(value, SETTLED_MS)
  const isChecked = settled.length >= CODE_CHARS_MIN && settled === value
  const { data, isFetching } = useQuery({
    queryKey: ['code', settled, domain],
    queryFn: async ({ signal }) =>
      (await ask('GET /codes/{code}', { path: { code: settled }, query: { domain }, signal })).data,
    enabled: isChecked,
    // It may be taken at any time.
    staleTime: 0,
  })
  const toast = useToast()
  const suggestion = useMutation({
    mutationFn: async () => (await ask('POST /codes')).data,
    onSuccess: ({ code }) => onCode(code),
    onError: (error) => toast({ tone: 'bad', text: sentenceOf(error) }),
  })
  const isFree = isChecked && !isFetching ? data?.is_free : undefined
  const reasons = isFree === false ? data?.reasons : undefined
  return (
    <TextField
      label={editorStrings.code}
      hint={editorStrings.codeHint}
      maxLength={64}
      spellCheck={false}
      autoCapitalize="none"
      autoComplete="off"
      value={value}
      onText={onCode}
      errors={errors ?? reasons}
      suffix={
        <>
          <span role="status">
            {isFree === true && <Badge tone="ok">{editorStrings.codeFree}</Badge>}
            {isFree === false && <Badge tone="bad">{editorStrings.codeTaken}</Badge>}
          </span>
          <IconButton
            label={editorStrings.suggestCode}
            icon={Dices}
            onClick={() => suggestion.mutate()}
            aria-busy={suggestion.isPending || undefined}
          />
        </>
      }
    />
  )
}
