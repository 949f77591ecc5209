/** Five rules with conditions of each kind. A browser on a desktop passes four and is drawn by the fifth. */
export const FIVE_RULES = [
  { when: { country: ['FR', 'IT', 'ES'] }, to: 'https://example.com/some/landing/page/south' },
  { when: { language: ['fr', 'it', 'es'] }, to: 'https://example.com/some/landing/page/languages' },
  {
    when: { os: ['iOS', 'Android'], browser: ['Instagram'] },
    to: 'https://example.com/some/landing/page/app',
  },
  {
    when: {
      query: { partner: true },
      hours: { days: ['mon', 'tue'], from: '09:00', to: '18:00', timezone: 'Europe/Berlin' },
    },
    to: 'https://example.com/some/landing/page/partner',
  },
  {
    split: [
      { to: 'https://example.com/some/landing/page/a', weight: 70 },
      { to: 'https://example.com/some/landing/page/b', weight: 30 },
    ],
  },
]
