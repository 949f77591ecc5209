import { Eye, EyeOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { words } from '../words.ts'
import { IconButton } from './button.tsx'
import { TextField } from './field.tsx'

type PasswordFieldProps = {
  label: string
  hint?: ReactNode
  aside?: ReactNode
  errors?: string[] | undefined
  value: string
  onText: (text: string) => void
  /** So that password managers know whether to fill one in or to make one up. */
  autoComplete: 'current-password' | 'new-password'
  autoFocus?: boolean
}

/** What is typed can be looked at. */
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
          label={isShown ? words.actions.hidePassword : words.actions.showPassword}
          icon={isShown ? EyeOff : Eye}
          onClick={() => setShown(!isShown)}
        />
      }
    />
  )
}
