import { html } from '../../html/html.ts'

/** A flying tern with its path. The stylesheet sets the colors, for light and dark. */
export const TERN_IN_FLIGHT = html`<svg
  class="tern"
  viewBox="0 0 420 230"
  width="420"
  height="230"
  aria-hidden="true"
  focusable="false"
>
  <circle class="tern-sky" cx="256" cy="112" r="104" />
  <path
    class="tern-path"
    d="M6 212C70 214 120 200 168 158"
    fill="none"
    stroke-width="2"
    stroke-linecap="round"
    stroke-dasharray="1 9"
  />
  <path class="bird-wing-far" d="M262 122C250 92 254 52 292 8C300 44 298 88 284 122Z" />
  <path class="bird-tail" d="M226 146C190 160 146 180 90 198C124 172 160 146 216 124Z" />
  <path
    class="bird-body"
    d="M112 172C150 158 182 138 214 122C244 108 284 100 312 106C326 109 333 117 334 125C326 136 300 146 268 149C236 152 206 150 182 154C160 158 136 164 112 172Z"
  />
  <path class="bird-wing" d="M276 118C258 84 214 44 128 14C150 54 178 106 216 140C238 148 266 140 276 118Z" />
  <path class="bird-wing-tip" d="M128 14C148 22 166 30 182 39C178 44 172 48 165 50C152 38 138 26 128 14Z" />
  <path class="bird-cap" d="M336 121C330 106 312 98 290 104C300 111 312 118 336 121Z" />
  <path
    class="bird-beak"
    d="M333 114C346 116 358 121 370 129C358 129 346 128 334 127C335 123 335 118 333 114Z"
  />
</svg>`
