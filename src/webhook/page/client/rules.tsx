import type {StreamMessages} from '../wire.ts'
import {amountText, visible} from './text.ts'

/** How often each rule has decided since the file was loaded, folded. */
export function Rules({rules}: {rules: StreamMessages['rules']}) {
  if (rules.length === 0) return null
  const unused = rules.filter(({hits}) => hits === 0).length
  return (
    <details class="rules">
      <summary>
        Rules{' '}
        <span class="count">
          {rules.length - unused} of {rules.length} used
        </span>
      </summary>
      <ol>
        {rules.map(({name, hits}, index) => (
          <li key={index} data-unused={hits === 0}>
            <span class="rule-name">{visible(name)}</span>
            <span class="rule-hits">{hits === 0 ? 'never used' : timesText(hits)}</span>
          </li>
        ))}
      </ol>
    </details>
  )
}

const timesText = (hits: number): string =>
  `${amountText(hits, undefined).replace(/[.].*$/, '')} ${hits === 1 ? 'call' : 'calls'}`
