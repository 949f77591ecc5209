import { TextField, VERBATIM } from '../components/fields/field.tsx'
import { errorsOf } from '../components/states.tsx'

type HostFieldProps = {
  label: string
  hint: string
  host: string
  onHost: (host: string) => void
  error: Error | null
}

/** The host of a domain that is added. */
export const HostField = ({ host, onHost, error, ...texts }: HostFieldProps) => (
  <TextField
    {...texts}
    placeholder="go.example.com"
    {...VERBATIM}
    value={host}
    onText={onHost}
    errors={errorsOf(error, 'host')}
  />
)
