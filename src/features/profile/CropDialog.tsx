import { useEffect, useState } from 'react';
import Cropper, { type Area } from 'react-easy-crop';
import { Button } from '#ui/Button.tsx';
import { DialogWindow } from '#ui/DialogWindow.tsx';
import { Notice } from '#ui/Notice.tsx';
import { cropPicture } from './crop-picture.ts';

interface CropProps {
  file: File;
  onDone: (picture: Blob) => void;
  onCancel: () => void;
}

/** An object URL for a file, revoked when the file changes or the component unmounts. */
function useObjectUrl(file: File): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const created = URL.createObjectURL(file);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [file]);
  return url;
}

/** Crops a picture to a square: users drag it or press arrow keys, and zoom with a slider. */
export function CropDialog({ file, onDone, onCancel }: CropProps) {
  const url = useObjectUrl(file);
  const [position, setPosition] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const [area, setArea] = useState<Area | null>(null);
  const [broken, setBroken] = useState(false);
  const [pending, setPending] = useState(false);
  const crop = async () => {
    if (!area) return;
    setPending(true);
    try {
      onDone(await cropPicture(file, area));
    } catch {
      setBroken(true);
      setPending(false);
    }
  };
  return (
    <DialogWindow
      open
      onOpenChange={onCancel}
      title="Crop your photo"
      description="Drag it, or use the arrow keys, until the circle shows what you want."
      footer={
        <>
          <Button variant="secondary" onClick={onCancel}>
            Cancel
          </Button>
          <Button pending={pending} disabled={!area || broken} onClick={() => void crop()}>
            Use this photo
          </Button>
        </>
      }
    >
      <div className="relative h-72 overflow-hidden rounded-control bg-raised">
        {url && !broken && (
          <Cropper
            image={url}
            crop={position}
            zoom={zoom}
            aspect={1}
            cropShape="round"
            showGrid={false}
            disableAutomaticStylesInjection
            onCropChange={setPosition}
            onZoomChange={setZoom}
            onCropComplete={(_, pixels) => setArea(pixels)}
            mediaProps={{ onError: () => setBroken(true) }}
          />
        )}
      </div>
      <ZoomSlider zoom={zoom} onChange={setZoom} />
      {broken && (
        <Notice tone="danger" live="assertive">
          We can’t open this photo. Choose another one.
        </Notice>
      )}
    </DialogWindow>
  );
}

const ZoomSlider = (props: { zoom: number; onChange: (zoom: number) => void }) => (
  <label className="flex items-center gap-3 text-sm">
    Zoom
    <input
      type="range"
      min={1}
      max={4}
      step={0.05}
      value={props.zoom}
      onChange={(event) => props.onChange(Number(event.currentTarget.value))}
      className="h-11 grow accent-primary"
    />
  </label>
);
