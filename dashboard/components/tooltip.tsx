import { Tooltip as Radix } from 'radix-ui'
import { type ReactElement, use } from 'react'
import { FloatingRoot } from './pickers/floating-root.ts'

const DELAY_MS = 350

export const TooltipProvider = ({ children }: { children: ReactElement }) => (
  <Radix.Provider delayDuration={DELAY_MS}>{children}</Radix.Provider>
)

/** For supplementary text only: touch screens do not show it. */
export function Tooltip({ text, children }: { text: string; children: ReactElement }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal container={use(FloatingRoot)}>
        <Radix.Content className="tooltip" sideOffset={6} collisionPadding={8}>
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
