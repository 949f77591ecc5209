import type { ManagedAccountView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { ask } from '../api-client.ts'
import { Question } from '../components/dialog.tsx'
import { lazyStrings } from '../strings/lazy-strings.ts'
import { useOrder, useRefusalToast } from './operator-queries.ts'

const { admin: texts } = lazyStrings

type Order = {
  title: string
  text: string
  action: string
  saidAfter: string
  give(): Promise<unknown>
}

export type OrderName = 'verify' | 'suspend' | 'reinstate'

function orderOf(name: OrderName, { id, name: userName, email }: ManagedAccountView): Order {
  const path = { id }
  switch (name) {
    case 'verify':
      return {
        title: texts.verifyTitle(email),
        text: texts.verifyText,
        action: texts.verify,
        saidAfter: texts.verified(email),
        give: () => ask('PUT /admin/accounts/{id}', { path, input: { is_verified: true } }),
      }
    case 'suspend':
      return {
        title: texts.suspendTitle(userName),
        text: texts.suspendText,
        action: texts.suspend,
        saidAfter: texts.suspendedNow(userName),
        give: () => ask('POST /admin/accounts/{id}/suspend', { path }),
      }
    case 'reinstate':
      return {
        title: texts.reinstateTitle(userName),
        text: texts.reinstateText,
        action: texts.reinstate,
        saidAfter: texts.reinstated(userName),
        give: () => ask('POST /admin/accounts/{id}/reinstate', { path }),
      }
  }
}

type OrderQuestionProps = { name: OrderName; account: ManagedAccountView; onClose: () => void }

export function ConfirmAction({ name, account, onClose }: OrderQuestionProps) {
  const { title, text, action, saidAfter, give } = orderOf(name, account)
  const onError = useRefusalToast()
  const order = useOrder(give, () => saidAfter)
  return (
    <Question
      title={title}
      text={text}
      action={action}
      isBusy={order.isPending}
      onYes={() => order.mutate(undefined, { onError, onSettled: onClose })}
      onClose={onClose}
    />
  )
}
