import type {RefObject} from 'preact'
import {parseSearch} from '../../search.ts'
import {Icon} from './icons.tsx'
import {type Action, type Counts, type Filter, GROUPS, type Group} from './state.ts'
import {sentenceOf} from './text.ts'

interface Props {
  readonly counts: Counts
  readonly filter: Filter
  readonly search: RefObject<HTMLInputElement | null>
  dispatch(action: Action): void
}

const NAMES: Readonly<Record<Group, string>> = {
  approved: 'Approved',
  partial: 'Partial',
  declined: 'Declined',
  late: 'Late',
  rejected: 'Rejected',
  other: 'Other',
}

export function Filters({counts, filter, search, dispatch}: Props) {
  const {fault} = parseSearch(filter.text)
  const toggle = (group: Group) => {
    const groups = new Set(filter.groups)
    if (!groups.delete(group)) groups.add(group)
    dispatch({type: 'filter', filter: {groups}})
  }
  return (
    <search class="filters">
      <label class="search">
        <Icon name="search" />
        <input
          ref={search}
          type="search"
          aria-label="Filter calls"
          aria-invalid={fault !== undefined}
          aria-describedby="search-fault"
          placeholder="kahvila  mcc:5411  code:51  >100"
          spellcheck={false}
          autocomplete="off"
          value={filter.text}
          onInput={({currentTarget}) => dispatch({type: 'filter', filter: {text: currentTarget.value}})}
        />
        <kbd>/</kbd>
      </label>
      <p id="search-fault" class="fault" role="status">
        {fault !== undefined && sentenceOf(fault)}
      </p>
      <fieldset class="chips" aria-label="Outcomes">
        {GROUPS.filter(group => counts[group] > 0 || filter.groups.has(group)).map(group => (
          <button
            key={group}
            type="button"
            class="chip"
            data-ending={group}
            aria-pressed={filter.groups.has(group)}
            onClick={() => toggle(group)}
          >
            <i class="dot" />
            {NAMES[group]}
            <span class="count">{counts[group]}</span>
          </button>
        ))}
      </fieldset>
    </search>
  )
}
