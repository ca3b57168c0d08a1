import type {ComponentChildren} from 'preact'
import {visible} from './text.ts'

interface Props {
  readonly value: unknown
  /** JSON pointers of what the contract doesn't know. */
  readonly unknown?: readonly string[] | undefined
}

/** JSON as it is, in colours; objects and lists fold. */
export const JsonTree = ({value, unknown = []}: Props) => (
  <div class="json">
    <Node value={value} pointer="" unknown={unknown} last />
  </div>
)

interface NodeProps {
  readonly name?: string
  readonly value: unknown
  readonly pointer: string
  readonly unknown: readonly string[]
  readonly last: boolean
}

function Node({name, value, pointer, unknown, last}: NodeProps) {
  const comma = last ? '' : ','
  const key = name !== undefined && (
    <>
      <span class="json-key">"{visible(name)}"</span>
      {': '}
    </>
  )
  const mark = unknown.includes(pointer) && <em title="Not in the contract">unknown</em>
  const members = membersOf(value)
  if (!members || members.length === 0) {
    return (
      <div class="json-line">
        {key}
        <Scalar value={value} />
        {comma}
        {mark}
      </div>
    )
  }
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return (
    <details open>
      <summary>
        {key}
        {open}
        <span class="json-folded">
          {members.length}
          {close}
          {comma}
        </span>
        {mark}
      </summary>
      <div class="json-inside">
        {members.map(([member, item], index) => (
          <Node
            key={member}
            {...(Array.isArray(value) ? {} : {name: member})}
            value={item}
            pointer={`${pointer}/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`}
            unknown={unknown}
            last={index === members.length - 1}
          />
        ))}
      </div>
      <div>
        {close}
        {comma}
      </div>
    </details>
  )
}

const membersOf = (value: unknown): readonly (readonly [string, unknown])[] | undefined =>
  typeof value === 'object' && value !== null ? Object.entries(value) : undefined

function Scalar({value}: {value: unknown}): ComponentChildren {
  if (typeof value === 'string') return <span class="json-text">{visible(JSON.stringify(value))}</span>
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[]' : '{}'
  return <span class="json-plain">{String(value)}</span>
}
