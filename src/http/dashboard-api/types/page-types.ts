export type PageMeta = { current_page: number; last_page: number; per_page: number; total: number }
