import {Mark} from './icons.tsx'

/** The browser was not let in: it came without the link, or the server has started anew. */
export const Locked = () => (
  <main class="alone">
    <Mark />
    <h1>This page opens by its link</h1>
    <p>
      <code>cardctl webhook serve --inspect</code> prints a link when it starts. Open that in this browser; it
      works once, and then this address works for as long as the server runs.
    </p>
  </main>
)
