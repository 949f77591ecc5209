import type { ComponentProps } from 'react'
import { TextField, VERBATIM } from '../components/fields/field.tsx'

/** The host of a domain that is added. */
export const HostField = (props: ComponentProps<typeof TextField>) => (
  <TextField placeholder="go.example.com" {...VERBATIM} {...props} />
)
