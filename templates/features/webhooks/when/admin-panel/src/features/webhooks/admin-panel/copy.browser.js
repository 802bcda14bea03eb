// @ts-nocheck: runs in browsers, whose types this program does not have.

// Copies a text that is shown once. Without scripts, or where the browser forbids it, the button does not exist.
for (const button of document.querySelectorAll('button[data-copies]')) {
  button.hidden = !navigator.clipboard;
  button.addEventListener('click', async () => {
    const { copies, done } = button.dataset;
    await navigator.clipboard.writeText(document.getElementById(copies).textContent);
    button.textContent = done;
  });
}
