/**
 * As in favicon.svg, but in the page itself: a browser decodes an image of it in a document of its own, which takes longer than the
 * rest of the first frame.
 */
export const Logo = () => (
  <svg viewBox="0 0 32 32" width={28} height={28} aria-hidden>
    <path fill="#2b7396" d="M8 0H24A8 8 0 0 1 32 8V24A8 8 0 0 1 24 32H8A8 8 0 0 1 0 24V8A8 8 0 0 1 8 0Z" />
    <path
      fill="#f7f9fa"
      d="M5 32C4.6 26.5 6.4 21 5.8 15.5C6.6 9.5 10.4 6.4 14.6 6.4C19 6.4 21.4 9.6 22.2 13C22.8 16 22.2 18.6 20.6 20.4C20 23.4 22.8 27.6 23.6 32Z"
    />
    <path fill="#c3ced5" d="M5 32C4.7 28.6 5.3 25.4 5.7 22C8.6 25.6 12 29 16.4 32Z" />
    <path
      fill="#14191d"
      d="M5.6 19.4C3.8 10.6 8.4 5 14.6 5C19.4 5 22.2 8.8 23 12.6C20 12.4 18 13.4 15 14.2C11 15.2 8.2 16.4 5.6 19.4Z"
    />
    <path
      fill="#ff6f52"
      d="M22.5 11.4C26 12 29.4 14.6 31.4 18.4C28 17.6 24.6 17.8 21.2 18.8C22 16.6 22.6 14 22.5 11.4Z"
    />
  </svg>
)
