import { Eye, EyeOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { strings } from '../../strings.ts'
import { IconButton } from '../button.tsx'
import { TextField } from './field.tsx'

type PasswordFieldProps = {
  label: string
  hint?: ReactNode
  aside?: ReactNode
  errors?: string[] | undefined
  value: string
  onText: (text: string) => void
  /** Tells password managers whether to fill in or to generate a password. */
  autoComplete: 'current-password' | 'new-password'
  autoFocus?: boolean
}

export function PasswordField(props: PasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      suffix={
        <IconButton
          label={isShown ? strings.actions.hidePassword : strings.actions.showPassword}
          icon={isShown ? EyeOff : Eye}
          onClick={() => setShown(!isShown)}
        />
      }
    />
  )
}
