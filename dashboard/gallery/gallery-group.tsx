import type { ReactNode } from 'react'

export const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="stack" aria-label={title}>
    <h2>{title}</h2>
    <div className="actions" style={{ alignItems: 'center', gap: 16 }}>
      {children}
    </div>
  </section>
)
