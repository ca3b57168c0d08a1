import type {Exchange} from '../../exchange.ts'
import {visible} from './text.ts'

/** The headers of a message, folded: there are many, and most are the same in every call. */
export function HeaderList({headers = {}}: {headers: Exchange['request']['headers']}) {
  const all = Object.entries(headers)
  if (all.length === 0) return null
  return (
    <details class="headers">
      <summary>
        {all.length} {all.length === 1 ? 'header' : 'headers'}
      </summary>
      <dl>
        {all.map(([name, value]) => (
          <div key={name}>
            <dt>{visible(name)}</dt>
            <dd>{visible(value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
