import type { ManagedAccountView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { ask } from '../api-client.ts'
import { Question } from '../parts/dialog.tsx'
import { laterWords } from '../later-words.ts'
import { useOrder, useRefusalToast } from './operator-queries.ts'

const { admin: texts } = laterWords

type Order = {
  title: string
  text: string
  action: string
  saidAfter: string
  give(): Promise<unknown>
}

export type OrderName = 'verify' | 'suspend' | 'reinstate'

function orderOf(name: OrderName, { id, name: person, email }: ManagedAccountView): Order {
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
        title: texts.suspendTitle(person),
        text: texts.suspendText,
        action: texts.suspend,
        saidAfter: texts.suspendedNow(person),
        give: () => ask('POST /admin/accounts/{id}/suspend', { path }),
      }
    case 'reinstate':
      return {
        title: texts.reinstateTitle(person),
        text: texts.reinstateText,
        action: texts.reinstate,
        saidAfter: texts.reinstated(person),
        give: () => ask('POST /admin/accounts/{id}/reinstate', { path }),
      }
  }
}

type OrderQuestionProps = { name: OrderName; account: ManagedAccountView; onClose: () => void }

/** Asks before an account is confirmed, suspended or let in again. */
export function OrderQuestion({ name, account, onClose }: OrderQuestionProps) {
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
