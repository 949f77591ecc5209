export type { UsageView } from '../../endpoints/account-endpoints.ts'
export type { KeyView } from '../../endpoints/key-endpoints.ts'
