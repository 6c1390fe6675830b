import { describe, expect, it } from 'vitest';
import type { ImageInfo } from '../../../core/document';
import { removeFilter, setParameter } from '../../../core/edits';
import { canUndo } from '../../../core/history';
import { createEditor } from '../../../renderer/editor';
import { createPageStore, documentsOf, isUnsaved, selectedFilter, stackOf } from '../../../renderer/store';
import { documentOf, picture as examplePicture } from './examplePicture';

const picture: ImageInfo = { ...examplePicture, id: 1, sampleType: 'u16' };

function setUp() {
  const store = createPageStore();
  const editor = createEditor(store);
  editor.showDocument(documentOf(picture));
  editor.add('gaussian');
  const id = stackOf(store.getState())[0]?.id ?? '';
  const sigma = () => {
    const filter = selectedFilter(store.getState());
    return filter?.kind === 'gaussian' ? filter.sigma : null;
  };
  return { store, editor, id, sigma, steps: () => store.getState().history.past.length };
}

describe('another page of a document', () => {
  it('takes the place of its picture: filters, history and tab stay, and a project is unsaved', () => {
    const { store, editor, id, sigma, steps } = setUp();
    const before = steps();
    editor.showDocument(documentOf({ ...picture, id: 2 }));
    editor.replacePicture(1, { ...picture, id: 3, page: 2, pages: 2 });
    expect(store.getState()).toMatchObject({ tabs: [3, 2], image: { id: 2 } });
    editor.switchTo(3);
    editor.replacePicture(3, { ...picture, id: 4, pages: 2 });
    expect(store.getState()).toMatchObject({ tabs: [4, 2], image: { id: 4 }, selectedId: id });
    expect([sigma(), steps()]).toEqual([3, before]);
    editor.markSaved(4, stackOf(store.getState()), 'look.convolve');
    expect(isUnsaved(store.getState())).toBe(false);
    editor.replacePicture(4, { ...picture, id: 5, page: 2, pages: 2 });
    expect(isUnsaved(store.getState())).toBe(true);
  });
});

describe('gestures', () => {
  it('a drag of many changes is one undo step', () => {
    const { editor, id, sigma, steps } = setUp();
    const before = steps();
    editor.gesture('begin');
    for (const value of [3.1, 3.2, 3.9, 4.5]) editor.edit((stack) => setParameter(stack, id, 'sigma', value));
    expect(sigma()).toBe(4.5);
    editor.gesture('end');
    expect(steps()).toBe(before + 1);
    editor.undo();
    expect(sigma()).toBe(3);
    editor.redo();
    expect(sigma()).toBe(4.5);
  });
  it('a gesture without a change is no step, and a cancelled one leaves nothing', () => {
    const { editor, id, sigma, steps } = setUp();
    const before = steps();
    editor.gesture('begin');
    editor.gesture('end');
    expect(steps()).toBe(before);
    editor.gesture('begin');
    editor.edit((stack) => setParameter(stack, id, 'sigma', 9));
    editor.gesture('cancel');
    expect([sigma(), steps()]).toEqual([3, before]);
  });
  it('changes outside a gesture are a step each', () => {
    const { editor, id, steps } = setUp();
    const before = steps();
    editor.edit((stack) => setParameter(stack, id, 'sigma', 5));
    editor.edit((stack) => setParameter(stack, id, 'sigma', 6));
    expect(steps()).toBe(before + 2);
  });
});

describe('the document', () => {
  it('a refused edit changes nothing and becomes a message that stays', () => {
    const { store, editor } = setUp();
    const before = store.getState().history;
    expect(
      editor.edit(() => {
        throw new Error('no');
      }),
    ).toBe(false);
    expect(store.getState().history).toBe(before);
    expect(store.getState().notices).toHaveLength(1);
  });
  it('the same message is shown once', () => {
    const { store, editor } = setUp();
    const failure = { code: 'fileEmpty', subject: 'x.png' } as const;
    editor.notify({ kind: 'failure', failure });
    editor.notify({ kind: 'failure', failure });
    expect(store.getState().notices).toHaveLength(1);
    editor.dismiss(store.getState().notices[0]?.id ?? -1);
    expect(store.getState().notices).toEqual([]);
  });
  it('keeps a filter selected when undo takes the selected one away', () => {
    const { store, editor, id } = setUp();
    editor.add('sobel');
    editor.undo();
    expect(store.getState().selectedId).toBe(id);
  });
  it('another picture has a tab and filters of its own, and each keeps its history', () => {
    const { store, editor, id } = setUp();
    const second = { ...picture, id: 2, warnings: [{ kind: 'notWhole' as const }] };
    editor.showDocument(documentOf(second));
    expect(stackOf(store.getState())).toEqual([]);
    expect(store.getState().notices).toHaveLength(1);
    expect(canUndo(store.getState().history)).toBe(false);
    editor.switchTo(1);
    expect(stackOf(store.getState()).map((filter) => filter.id)).toEqual([id]);
    expect(store.getState().selectedId).toBe(id);
    editor.undo();
    expect(stackOf(store.getState())).toEqual([]);
    expect(documentsOf(store.getState()).map(({ image }) => image.id)).toEqual([1, 2]);
  });
  it('closing forgets it and shows its neighbour, or none', () => {
    const { store, editor } = setUp();
    editor.showDocument(documentOf({ ...picture, id: 2 }));
    editor.showDocument(documentOf({ ...picture, id: 3 }));
    editor.removeDocument(3);
    expect(store.getState().image?.id).toBe(2);
    editor.removeDocument(1);
    expect(store.getState()).toMatchObject({ tabs: [2], image: { id: 2 } });
    editor.removeDocument(2);
    expect(store.getState()).toMatchObject({ tabs: [], image: null, selectedId: null });
    expect(store.getState().parked.size).toBe(0);
  });
});

describe('unsaved work', () => {
  it('is what no file holds: saving ends it, undo to what was saved too', () => {
    const { store, editor, id } = setUp();
    expect(isUnsaved(store.getState())).toBe(true);
    editor.undo();
    expect(isUnsaved(store.getState())).toBe(false);
    editor.redo();
    editor.markSaved(1, stackOf(store.getState()), 'look.convolve');
    expect(isUnsaved(store.getState())).toBe(false);
    editor.edit((stack) => setParameter(stack, id, 'sigma', 9));
    expect(isUnsaved(store.getState())).toBe(true);
    editor.undo();
    expect(isUnsaved(store.getState())).toBe(false);
    expect(store.getState().project).toBe('look.convolve');
  });
  it('a project opens saved, with ids of its own; work brought back after a crash does not', () => {
    const { store, editor, id } = setUp();
    const stack = stackOf(store.getState());
    editor.showDocument({ ...documentOf({ ...picture, id: 2 }), stack, project: 'a.convolve' });
    expect(isUnsaved(store.getState())).toBe(false);
    expect(stackOf(store.getState())[0]?.id).not.toBe(id);
    editor.showDocument({ ...documentOf({ ...picture, id: 3 }), stack, unsaved: true });
    expect(isUnsaved(store.getState())).toBe(true);
  });
  it('a filter that was added and removed again leaves none', () => {
    const { store, editor, id } = setUp();
    editor.edit((stack) => removeFilter(stack, id));
    expect(isUnsaved(store.getState())).toBe(false);
  });
});
