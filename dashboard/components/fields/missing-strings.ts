/** Shown next to a button: what to do before pressing it. */
export const missingStrings = {
  name: 'Enter a name.',
  domain: 'Enter a domain.',
  code: 'Enter the code.',
  email: 'Enter your email.',
  newPassword: 'Enter a new password.',
  owner: 'Choose the new owner.',
  typedDomain: 'Type the domain to confirm.',
  changes: 'No changes yet.',
  saved: 'Copy it or check the box first.',
}
