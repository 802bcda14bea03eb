// @ts-nocheck: runs in browsers, whose types this program does not have.

// Line numbers and Tab for the script, and a dry run in place. Without scripts the same forms work.
const script = document.querySelector('textarea[name="jsScript"]');

if (script) {
  const frame = document.createElement('div');
  const numbers = document.createElement('pre');
  frame.className = 'editor';
  numbers.setAttribute('aria-hidden', 'true');
  // A field that is moved loses the focus; the user may have been faster than this script.
  const isFocused = document.activeElement === script;
  script.replaceWith(frame);
  frame.append(numbers, script);
  if (isFocused) script.focus();
  const count = () => {
    const lines = script.value.split('\n').length;
    numbers.textContent = Array.from({ length: lines }, (_, at) => at + 1).join('\n');
  };
  const follow = () => {
    // The numbers stay as high as the field, which users can resize.
    numbers.style.height = `${script.offsetHeight}px`;
    numbers.scrollTop = script.scrollTop;
  };
  script.addEventListener('input', count);
  script.addEventListener('scroll', follow);
  new ResizeObserver(follow).observe(script);
  count();

  // Tab indents only after another key, and not after Escape: no keyboard trap (WCAG 2.1.2).
  let isLeaving = true;
  script.addEventListener('focus', () => {
    isLeaving = true;
  });
  script.addEventListener('keydown', (event) => {
    if (event.key === 'Tab' && !event.shiftKey && !isLeaving) {
      event.preventDefault();
      script.setRangeText('  ', script.selectionStart, script.selectionEnd, 'end');
      count();
    }
    isLeaving = event.key === 'Escape';
  });
}

let isInPlace = true;
document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event;
  if (!isInPlace || submitter?.value !== 'dry-run') return;
  event.preventDefault();
  runInPlace(form, submitter);
});

async function runInPlace(form, submitter) {
  submitter.disabled = true;
  const body = new URLSearchParams(new FormData(form));
  body.set(submitter.name, submitter.value);
  try {
    const response = await fetch(location.pathname, { method: 'POST', body });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const part = page.getElementById('dry-run');
    if (!part) throw new Error('Not the page of the webhook.');
    part.prepend(...page.querySelectorAll('[role="alert"]'));
    const shown = document.importNode(part, true);
    document.getElementById('dry-run').replaceWith(shown);
    // The focus was on the button that is gone: to what needs an answer, else to the result.
    const next = ['[aria-invalid], [autofocus]', '[role="status"]', 'button'];
    next
      .map((each) => shown.querySelector(each))
      .find(Boolean)
      .focus();
  } catch {
    submitter.disabled = false;
    // Leaving the page would lose a script that is not saved.
    isInPlace = script.value !== script.defaultValue;
    if (isInPlace) document.getElementById('no-result').hidden = false;
    // As without scripts: the browser shows the response.
    else form.requestSubmit(submitter);
  }
}
