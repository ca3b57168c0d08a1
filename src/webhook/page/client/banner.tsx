import type {State} from './state.ts'

/** Says that what stands here is no longer live. */
export const Banner = ({link}: {link: State['link']}) =>
  link === 'broken' ? (
    <p class="banner" role="alert">
      The server does not answer. Below stands what was seen before; the page keeps trying.
    </p>
  ) : null
