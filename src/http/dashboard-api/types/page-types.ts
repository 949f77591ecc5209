/** Microseconds since 1970 as `2026-04-20T09:30:00.123456Z`. */
export type Timestamp = string

export type PageMeta = { current_page: number; last_page: number; per_page: number; total: number }
