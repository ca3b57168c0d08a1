// What a page does in the browser: buttons that copy commands, areas to scroll by the keyboard, and the search when it is used.

for (const block of document.querySelectorAll<HTMLElement>('.code')) {
  const typed = [...block.querySelectorAll('.command')].map(({textContent}) => textContent)
  const text = typed.length > 0 ? typed.join('\n') : (block.textContent ?? '').trimEnd()
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text)
      button.textContent = 'Copied'
    } catch {
      button.textContent = 'Not copied'
    }
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2000)
  })
  block.append(button)
}

/** What is wider than the page can be scrolled without a mouse. */
function markScrollable(): void {
  for (const area of document.querySelectorAll<HTMLElement>('.code pre, .table, p:has(> img)')) {
    if (area.scrollWidth > area.clientWidth) area.tabIndex = 0
    else area.removeAttribute('tabindex')
  }
}
markScrollable()
addEventListener('resize', markScrollable)

// The menu has its own scroll bar where it is beside the page.
const menu = document.querySelector<HTMLElement>('.menu')
const current = menu?.querySelector<HTMLElement>('[aria-current]')
if (menu && current) menu.scrollTop = current.offsetTop - menu.clientHeight / 2

const search = document.querySelector<HTMLElement>('.search')
const input = search?.querySelector('input')
if (search && input) {
  search.hidden = false
  input.addEventListener('focus', loadSearch, {once: true})
  addEventListener('keydown', event => {
    const isTyping = event.target instanceof HTMLInputElement
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}

/** The texts of all pages are loaded when somebody wants to search, and not before. */
function loadSearch(): void {
  const root = document.documentElement.dataset.root ?? ''
  for (const name of ['search-entries.js', 'search.js']) {
    const script = document.createElement('script')
    script.src = root + name
    script.async = false
    document.head.append(script)
  }
}
